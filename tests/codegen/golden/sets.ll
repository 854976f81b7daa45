@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  br label %b0
b0:
  %t1 = getelementptr i8, ptr %b, i32 8
  %t2 = getelementptr i8, ptr %b, i32 4
  %t3 = load i32, ptr %t2, align 4
  %t4 = icmp ult i32 %t3, 8
  br i1 %t4, label %ok.5, label %bad.6, !prof !0
bad.6:
  call void @lf_fault(ptr %b, i8 zeroext 11, i16 zeroext 0, i32 %t3, i32 8) #1
  unreachable
ok.5:
  %t7 = trunc i32 %t3 to i8
  %t8 = shl i8 1, %t7
  %t9 = load i8, ptr %t1, align 1
  %t10 = or i8 %t9, %t8
  store i8 %t10, ptr %t1, align 1
  %t11 = getelementptr i8, ptr %b, i32 8
  %t12 = getelementptr i8, ptr %b, i32 8
  %t13 = load i8, ptr %t12, align 1
  %t14 = getelementptr i8, ptr %b, i32 4
  %t15 = load i32, ptr %t14, align 4
  %t16 = icmp ult i32 %t15, 8
  br i1 %t16, label %ok.17, label %bad.18, !prof !0
bad.18:
  call void @lf_fault(ptr %b, i8 zeroext 11, i16 zeroext 1, i32 %t15, i32 8) #1
  unreachable
ok.17:
  %t19 = icmp ult i32 7, 8
  br i1 %t19, label %ok.20, label %bad.21, !prof !0
bad.21:
  call void @lf_fault(ptr %b, i8 zeroext 11, i16 zeroext 1, i32 7, i32 8) #1
  unreachable
ok.20:
  %t22 = trunc i32 %t15 to i16
  %t23 = shl i16 2, 7
  %t24 = sub i16 %t23, 1
  %t25 = shl i16 1, %t22
  %t26 = sub i16 %t25, 1
  %t27 = xor i16 %t26, -1
  %t28 = and i16 %t24, %t27
  %t29 = trunc i16 %t28 to i8
  %t30 = or i8 0, %t29
  %t31 = or i8 %t13, %t30
  store i8 %t31, ptr %t11, align 1
  %t32 = getelementptr i8, ptr %b, i32 9
  %t33 = getelementptr i8, ptr %b, i32 4
  %t34 = load i32, ptr %t33, align 4
  %t35 = getelementptr i8, ptr %b, i32 8
  %t36 = load i8, ptr %t35, align 1
  %t37 = icmp ult i32 %t34, 8
  %t38 = select i1 %t37, i32 %t34, i32 0
  %t39 = trunc i32 %t38 to i8
  %t40 = lshr i8 %t36, %t39
  %t41 = trunc i8 %t40 to i1
  %t42 = select i1 %t37, i1 %t41, i1 false
  %t43 = zext i1 %t42 to i8
  store i8 %t43, ptr %t32, align 1
  br label %b1
b1:
  %t44 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %t44, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}
