@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  switch i16 %position, label %nowhere [ i16 1, label %b0 i16 2, label %b1 ]
nowhere:
  unreachable
b0:
  %t1 = getelementptr i8, ptr %b, i32 -4
  %t2 = load i32, ptr %t1, align 4
  %t3 = icmp ne i32 %t2, 0
  br i1 %t3, label %ok.4, label %bad.5, !prof !0
bad.5:
  call void @lf_fault(ptr %b, i8 zeroext 12, i16 zeroext 0, i32 0, i32 0) #1
  unreachable
ok.4:
  %t6 = sub i32 %t2, 1
  store i32 %t6, ptr %t1, align 4
  %t7 = getelementptr i8, ptr %b, i32 4
  %t8 = ptrtoint ptr %t7 to i64
  %t9 = ptrtoint ptr %b to i64
  %t10 = sub i64 %t8, %t9
  %t11 = trunc i64 %t10 to i16
  %t13 = getelementptr i8, ptr %record, i32 1
  call void @lf_count_call(ptr %b, ptr %t13, i8 zeroext 1, i16 zeroext 3, i16 zeroext 1)
  br label %counted.12
counted.12:
  %t14 = getelementptr i8, ptr %frame, i32 4
  store i8 2, ptr %t14, align 1
  %t15 = getelementptr i8, ptr %frame, i32 2
  store i16 %t11, ptr %t15, align 2
  store i8 2, ptr %frame, align 1
  %t16 = zext i8 %slot to i16
  %t17 = zext i16 %t16 to i32
  %t18 = getelementptr i8, ptr %b, i32 %t17
  store i8 3, ptr %t18, align 1
  ret i16 0
b1:
  %t19 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %t19, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 20)
  ret i16 -32768
}

define internal i16 @"run.Program.Down.1"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  switch i16 %position, label %nowhere [ i16 3, label %b0 i16 4, label %b1 i16 5, label %b2 ]
nowhere:
  unreachable
b0:
  %t1 = zext i8 %slot to i16
  %t2 = zext i16 %t1 to i32
  %t3 = getelementptr i8, ptr %b, i32 %t2
  store i8 4, ptr %t3, align 1
  ret i16 -32768
b1:
  %t4 = getelementptr i8, ptr %frame, i32 4
  %t5 = load i8, ptr %t4, align 1
  %t6 = icmp sgt i8 %t5, 0
  br i1 %t6, label %b3, label %b2
b2:
  %t7 = getelementptr i8, ptr %frame, i32 2
  %t8 = load i16, ptr %t7, align 2
  %t9 = zext i16 %t8 to i32
  %t10 = getelementptr i8, ptr %b, i32 %t9
  %t11 = load i32, ptr %t10, align 4
  %t12 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %t11, i32 1)
  %t13 = extractvalue { i32, i1 } %t12, 0
  %t14 = extractvalue { i32, i1 } %t12, 1
  %t15 = xor i1 %t14, true
  br i1 %t15, label %ok.16, label %bad.17, !prof !0
bad.17:
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 2, i32 %t11, i32 1) #1
  unreachable
ok.16:
  store i32 %t13, ptr %t10, align 4
  %t18 = load i8, ptr %frame, align 1
  switch i8 %t18, label %back.20 [ i8 5, label %back.21 ]
back.20:
  %t23 = getelementptr i8, ptr %record, i32 1
  call void @lf_uncount_call(ptr %t23, i8 zeroext 1)
  br label %counted.22
counted.22:
  call void @lf_clear(ptr %frame, i16 zeroext 5)
  %t24 = zext i8 %slot to i16
  %t25 = zext i16 %t24 to i32
  %t26 = getelementptr i8, ptr %b, i32 %t25
  store i8 2, ptr %t26, align 1
  ret i16 0
back.21:
  %t28 = getelementptr i8, ptr %record, i32 1
  call void @lf_uncount_call(ptr %t28, i8 zeroext 1)
  br label %counted.27
counted.27:
  call void @lf_clear(ptr %frame, i16 zeroext 5)
  %t29 = zext i8 %slot to i16
  %t30 = zext i16 %t29 to i32
  %t31 = getelementptr i8, ptr %b, i32 %t30
  store i8 5, ptr %t31, align 1
  ret i16 -6
b3:
  %t32 = getelementptr i8, ptr %b, i32 -4
  %t33 = load i32, ptr %t32, align 4
  %t34 = icmp ne i32 %t33, 0
  br i1 %t34, label %ok.35, label %bad.36, !prof !0
bad.36:
  call void @lf_fault(ptr %b, i8 zeroext 12, i16 zeroext 3, i32 0, i32 0) #1
  unreachable
ok.35:
  %t37 = sub i32 %t33, 1
  store i32 %t37, ptr %t32, align 4
  %t38 = getelementptr i8, ptr %frame, i32 6
  %t39 = getelementptr i8, ptr %frame, i32 4
  %t40 = load i8, ptr %t39, align 1
  %t41 = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 %t40, i8 1)
  %t42 = extractvalue { i8, i1 } %t41, 0
  %t43 = extractvalue { i8, i1 } %t41, 1
  %t44 = xor i1 %t43, true
  br i1 %t44, label %ok.45, label %bad.46, !prof !0
bad.46:
  %t47 = sext i8 %t40 to i32
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 4, i32 %t47, i32 1) #1
  unreachable
ok.45:
  %t48 = getelementptr i8, ptr %frame, i32 2
  %t49 = load i16, ptr %t48, align 2
  %t50 = zext i16 %t49 to i32
  %t51 = getelementptr i8, ptr %b, i32 %t50
  %t52 = ptrtoint ptr %t51 to i64
  %t53 = ptrtoint ptr %b to i64
  %t54 = sub i64 %t52, %t53
  %t55 = trunc i64 %t54 to i16
  %t57 = getelementptr i8, ptr %record, i32 1
  call void @lf_count_call(ptr %b, ptr %t57, i8 zeroext 1, i16 zeroext 3, i16 zeroext 5)
  br label %counted.56
counted.56:
  %t58 = getelementptr i8, ptr %t38, i32 4
  store i8 %t42, ptr %t58, align 1
  %t59 = getelementptr i8, ptr %t38, i32 2
  store i16 %t55, ptr %t59, align 2
  store i8 5, ptr %t38, align 1
  %t60 = zext i8 %slot to i16
  %t61 = zext i16 %t60 to i32
  %t62 = getelementptr i8, ptr %b, i32 %t61
  store i8 3, ptr %t62, align 1
  ret i16 6
}
